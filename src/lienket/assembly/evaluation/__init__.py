"""Systems compiled for the user: evaluation at one state or many, with and without contacts."""
