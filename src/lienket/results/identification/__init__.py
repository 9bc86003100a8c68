"""Laws of friction found from measured forces.

contact, contact_on_path   force and motion of a point -> Contact: tangential, normal, slip
fitted                     tangential, normal, slip -> Fitted: parameters, intervals, doubts

law   the laws, linear in all parameters but one       fit      least squares
spread  covariance, dependence, correlated noise       doubts   the warnings
"""

from .contact import Contact, contact, contact_on_path
from .fitted import Estimate, Fitted
from .fitting import fitted

__all__ = ["Contact", "Estimate", "Fitted", "contact", "contact_on_path", "fitted"]
