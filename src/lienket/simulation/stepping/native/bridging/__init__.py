"""Steps across singular positions: a polynomial fitted to accelerations on both sides of them."""
