"""Impacts at contacts: their laws, the impulses, and contacts that come to rest by them."""
