"""The same theory on arrays: elimination, accelerations, reactions, influence. Nothing symbolic comes here."""
