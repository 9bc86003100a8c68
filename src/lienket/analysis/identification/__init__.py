"""Laws of friction found from measured forces.

contact, contact_on_path   force and motion of a point -> Contact: tangential, normal, slip
fitted                     tangential, normal, slip -> Fitted: parameters, intervals, doubts

friction_laws   the laws, linear in all parameters but one       least_squares   the fit
uncertainty     covariance, dependence, correlated noise         doubts          the warnings
"""

from .contact import MeasuredContact, contact, contact_on_path
from .fit import fit_law
from .result import Estimate, Fitted

__all__ = ["Estimate", "Fitted", "MeasuredContact", "contact", "contact_on_path", "fit_law"]
