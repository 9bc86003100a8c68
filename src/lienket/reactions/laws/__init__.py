"""What laws exert: each in a file of its own, as columns of generalized forces (theory 9)."""

from .columns import Exerts
from .exerts import exerts

__all__ = ["Exerts", "exerts"]
