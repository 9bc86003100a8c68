"""Theory in numbers: elimination, accelerations, reactions, influence on arrays. Nothing symbolic is imported here."""
