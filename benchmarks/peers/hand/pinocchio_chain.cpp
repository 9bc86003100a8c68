// Pinocchio's constraintDynamics on the chain, compiled for this machine, with the signature of the other functions.
// Built from the headers alone; the model is the same as in pinocchio_chain.py.
#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>

using namespace pinocchio;

namespace {
struct Tree {
    Model model;
    Data data;
    std::vector<RigidConstraintModel> constraints;
    std::vector<RigidConstraintData> datas;
    ProximalSettings settings;
    Eigen::VectorXd torque;
};

SE3 along(double x) { return SE3(Eigen::Matrix3d::Identity(), Eigen::Vector3d(x, 0, 0)); }
}  // namespace

// n links of mass, length, moment of inertia in the order of the tree; the end is held at (held, 0).
extern "C" void *build(int n, const double *mass, const double *length, const double *inertia, double g, int slider,
                       double held, double mu)
{
    Tree *tree = new Tree();
    Model &model = tree->model;
    model.gravity.linear() = Eigen::Vector3d(0, -g, 0);
    JointIndex parent = 0;
    if (slider) parent = model.addJoint(parent, JointModelPX(), SE3::Identity(), "slider");
    for (int i = 0; i < n; i++) {
        parent = model.addJoint(parent, JointModelRZ(), along(i ? length[i - 1] : 0.0), "joint" + std::to_string(i));
        const Eigen::Matrix3d J = Eigen::Vector3d(0, inertia[i], inertia[i]).asDiagonal();
        model.appendBodyToJoint(parent, Inertia(mass[i], Eigen::Vector3d(length[i] / 2, 0, 0), J), SE3::Identity());
    }
    tree->data = Data(model);
    tree->constraints.emplace_back(CONTACT_3D, model, parent, along(length[n - 1]), 0, along(held), LOCAL);
    for (const auto &constraint : tree->constraints) tree->datas.push_back(constraint.createData());
    tree->settings = ProximalSettings(1e-12, mu, 1);
    tree->torque = Eigen::VectorXd::Zero(model.nv);
    initConstraintDynamics(model, tree->data, tree->constraints, tree->datas);
    return tree;
}

// `parameters` points at the address of the tree; out: accelerations, then three multipliers.
extern "C" int evaluate(double, const double *q, const double *v, const double *parameters, double *out)
{
    Tree &tree = **reinterpret_cast<Tree *const *>(parameters);
    const int n = tree.model.nv;
    using Vector = Eigen::Map<const Eigen::VectorXd>;
    Eigen::Map<Eigen::VectorXd>(out, n) = constraintDynamics(tree.model, tree.data, Vector(q, n), Vector(v, n),
                                                             tree.torque, tree.constraints, tree.datas, tree.settings);
    for (int i = 0; i < 3; i++) out[n + i] = tree.data.lambda_c[i];
    return 0;
}
