"""Derivatives of a run in plain NumPy, step by step, as the reference for the tangent kernels.

explicit   K_i = J_i (d + h sum a_ij K_j) + f_p,        d + h sum b_i K_i
implicit   the same equations as one linear system for all K_i, at stages from Newton's method
after each step the derivatives are projected onto the tangent space of the constraints
"""

import numpy as np

from lienket.analysis.sensitivity.tableaus import EXPLICIT, KERNELS, tableau


class Model:
    """The compiled functions of a run, by name and block."""

    def __init__(self, run):
        self.problem = run.problem
        self.n, self.s = run.problem.n, run.problem.s

    def blocks(self, name, t, y, inputs=None):
        function = self.problem.model.function(name)
        unknowns = np.zeros(self.n + self.s) if inputs is None else inputs
        q, v = np.ascontiguousarray(y[: self.n]), np.ascontiguousarray(y[self.n :])
        return function.named(function(t, q, v, self.problem.parameters, unknowns)[1])

    def matrix(self, t, y):
        terms = self.blocks("terms", t, y)
        M = np.block([[terms["A"], -terms["G"].T], [terms["G"], np.zeros((self.s, self.s))]])
        return M, np.concatenate([terms["h"], -terms["g0"]])

    def linearized(self, t, y, columns):
        """Return the rates (2 n), J (2 n x 2 n) and f_p (2 n x K); least squares, which allows redundant rows."""
        n = self.n
        M, right = self.matrix(t, y)
        x = np.linalg.lstsq(M, right, rcond=1e-12)[0]
        by, by_p = self.blocks("derivatives", t, y, x), self.blocks("parameter_derivatives", t, y, x)["by_parameters"]
        B = np.hstack([by["by_q"], by["by_v"], chosen(by_p, columns)])
        da = -np.linalg.lstsq(M, B, rcond=1e-12)[0][:n]
        J = np.block([[np.zeros((n, n)), np.eye(n)], [da[:, : 2 * n]]])
        return np.concatenate([y[n:], x[:n]]), J, np.vstack([np.zeros((n, len(columns))), da[:, 2 * n :]])

    def projected(self, t, y, d, columns):
        n, level = self.n, self.problem.level
        here, bent = self.blocks("surface", t, y), self.blocks("surface_derivatives", t, y)
        for what, kind in enumerate(("position", "velocity")):
            rows = level <= what
            G = here["G"][rows]
            residual = chosen(bent[f"{kind}_by_parameters"], columns)[rows] + G @ d[what * n :][:n]
            if what == 1:
                residual = residual + bent["velocity_by_q"][rows] @ d[:n]
            W = np.linalg.solve(here["A"], G.T)
            d[what * n : what * n + n] -= W @ np.linalg.pinv(G @ W, rcond=1e-10) @ residual
        return d


def chosen(matrix, columns):
    return np.where(columns >= 0, matrix[:, columns], 0.0) if matrix.shape[1] else np.zeros((len(matrix), len(columns)))


def explicit_step(model, table, t, h, y, d, columns):
    S = len(table) - 1
    k, K = np.zeros((S, len(y))), np.zeros((S, *d.shape))
    for i in range(S):
        x = y + h * table[i, 1:] @ k
        k[i], J, f_p = model.linearized(t + table[i, 0] * h, x, columns)
        K[i] = J @ (d + h * np.tensordot(table[i, 1:], K, axes=1)) + f_p
    return d + h * np.tensordot(table[S, 1:], K, axes=1)


def implicit_step(model, table, t, h, y, d, columns):
    S, m = len(table) - 1, len(y)
    A, x = table[:S, 1:], np.tile(y, (S, 1))
    for _ in range(50):
        stages = [model.linearized(t + table[i, 0] * h, x[i], columns) for i in range(S)]
        residual = x - y - h * A @ np.array([rate for rate, _, _ in stages])
        M = np.eye(S * m) - h * np.block([[A[i, j] * stages[j][1] for j in range(S)] for i in range(S)])
        change = np.linalg.solve(M, residual.ravel()).reshape(S, m)
        x = x - change
        if np.max(np.abs(change)) < 1e-13 * (1 + np.max(np.abs(x))):
            break
    stages = [model.linearized(t + table[i, 0] * h, x[i], columns) for i in range(S)]
    J, f_p = [f[1] for f in stages], [f[2] for f in stages]
    M = np.eye(S * m) - h * np.block([[A[i, j] * J[i] for j in range(S)] for i in range(S)])
    K = np.linalg.solve(M, np.vstack([J[i] @ d + f_p[i] for i in range(S)])).reshape(S, m, -1)
    return d + h * np.tensordot(table[S, 1:], K, axes=1)


def carry(run, columns, d):
    """Return the derivatives (2 n x K) at every row of the run, from those at the start."""
    model, path, row = Model(run), [np.array(d)], 0
    for phase in run.phases:
        step = explicit_step if KERNELS[phase.method] == EXPLICIT else implicit_step
        for _ in range(phase.steps):
            y = np.concatenate([run.q[row], run.v[row]])
            after = step(model, tableau(phase.method), run.t[row], run.steps[row + 1], y, path[-1], columns)
            row += 1
            end = np.concatenate([run.q[row], run.v[row]])
            path.append(model.projected(run.t[row], end, after, columns))
    return np.array(path)
