"""Common parts of lists: expanded again they are the original lists, with fewer additions."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from random_cases import random_cases

from lienket.compiled.graph.common_parts import share_common_parts

MANY = random_cases(300)


def expanded(items, inside):
    """Return the items with all joined items expanded."""
    counts = Counter()
    for item in items:
        if item in inside:
            counts += expanded(inside[item], inside)
        else:
            counts[item] += 1
    return counts


@MANY
@given(st.lists(st.sets(st.integers(0, 15), max_size=10), max_size=12), st.booleans())
def test_sharing_keeps_the_items_of_each_list(sets, ordered):
    lists = [sorted(items) if ordered else sorted(items, key=lambda k: (k * 7) % 16) for items in sets]
    inside = {}

    def join(common):
        assert len(common) > 1
        name = 100 + len(inside)
        inside[name] = common
        return name

    results = share_common_parts(lists, join)
    assert [expanded(items, inside) for items in results] == [Counter(items) for items in lists]
    additions = sum(max(len(items) - 1, 0) for items in lists)
    shared = sum(max(len(items) - 1, 0) for items in results) + sum(len(items) - 1 for items in inside.values())
    assert shared <= additions


def test_sharing_of_a_chain_needs_one_addition_each():
    """The sums of the first 2, 3, ..., 20 terms need 19 additions instead of 190."""
    inside = {}
    lists = [list(range(k)) for k in range(2, 21)]
    results = share_common_parts(
        lists, lambda common: inside.setdefault(1000 + len(inside), common) and 1000 + len(inside) - 1
    )
    additions = sum(len(items) - 1 for items in results) + sum(len(items) - 1 for items in inside.values())
    assert additions == 19
