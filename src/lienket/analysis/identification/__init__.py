"""Identification of laws of friction from measured forces.

contact, contact_on_path   force and motion of a point -> MeasuredContact: tangential, normal, slip
fit_law                    tangential, normal, slip -> Identified: parameters, intervals, warnings

friction_laws   the laws, linear in all parameters but one       least_squares   the fit
uncertainty     covariance, dependence, correlated noise         fit_warnings    the warnings
"""

from .contact import MeasuredContact, contact, contact_on_path
from .fit import fit_law
from .result import Estimate, Identified

__all__ = ["Estimate", "Identified", "MeasuredContact", "contact", "contact_on_path", "fit_law"]
