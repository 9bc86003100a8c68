"""Reference problems for simulations: published ones with their numbers, and a few that challenge step control.

Each is a function that states the problem; `PROBLEMS` has them by name.

    planar        Andrews' squeezer, particles on a circle, double pendulums
    four_bars     IFToMM A02, N four-bars in a row
    nonholonomic  knife edge, sleigh, Appell and Hamel, constant speed
    rolling       rattleback, coin
    in_space      heavy top, universal joint, babyboot
    flyball       governor, in relative coordinates and of bodies
    machines      four-bar, carriage, stiff carriage, light cart
"""

from . import flyball, four_bars, in_space, machines, nonholonomic, planar, rolling
from .problem import Expected, Problem, Row

__all__ = ["PROBLEMS", "Expected", "Problem", "Row"]

PROBLEMS = {
    "andrews": planar.andrews,
    "a01_pendulum": planar.a01_pendulum,
    "sundials_pendulum": planar.sundials_pendulum,
    "arevalo": planar.arevalo,
    "exudyn_double_pendulum": planar.exudyn_double_pendulum,
    "modelica_relative": planar.modelica_relative,
    "modelica_absolute": planar.modelica_absolute,
    "four_bars_1": lambda: four_bars.four_bars(1),
    "four_bars_5": lambda: four_bars.four_bars(5),
    "four_bars_5_slow": lambda: four_bars.four_bars(5, speed=0.3),
    "four_bars_5_fast": lambda: four_bars.four_bars(5, speed=3.0),
    "four_bars_40": lambda: four_bars.four_bars(40),
    "knife_edge": nonholonomic.knife_edge,
    "chaplygin_sleigh": nonholonomic.chaplygin_sleigh,
    "appell_hamel": nonholonomic.appell_hamel,
    "constant_speed": nonholonomic.constant_speed,
    "rattleback": rolling.rattleback,
    "rolling_coin": rolling.rolling_coin,
    "heavy_top": in_space.heavy_top,
    "heavy_top_singular": lambda: in_space.heavy_top(spare=0),
    "universal": in_space.universal,
    "babyboot": in_space.babyboot,
    "babyboot_bodies": in_space.babyboot_bodies,
    "flyball": flyball.flyball,
    "flyball_bodies": flyball.flyball_bodies,
    "four_bar": machines.four_bar,
    "carriage": machines.carriage,
    "carriage_stiff": machines.carriage_stiff,
    "light_cart": machines.light_cart,
    "light_cart_rod": machines.light_cart_rod,
}
"""Functions that state a problem, by name; a model file and its numbers are read when one is called."""
