"""Laws of friction found from measured forces.

contact, contact_on_path   force and motion of a point -> Contact: tangential, normal, slip
fitted                     tangential, normal, slip -> Fitted: parameters, intervals, doubts

friction_laws   the laws, linear in all parameters but one       least_squares   the fit
uncertainty     covariance, dependence, correlated noise         doubts          the warnings
"""

from .contact import Contact, contact, contact_on_path
from .fit import fitted
from .result import Estimate, Fitted

__all__ = ["Contact", "Estimate", "Fitted", "contact", "contact_on_path", "fitted"]
