// Pinocchio's articulated body algorithm on an arm of revolute joints about z, compiled for this machine, with the
// signature of the other functions. Built from the headers alone; the model is that of pinocchio_arm.py.
#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/aba.hpp>

using namespace pinocchio;

namespace {
struct Arm {
    Model model;
    Data data;
    Eigen::VectorXd torque;
    Convention convention;
};

using Matrix = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>;
using Vector = Eigen::Map<const Eigen::Vector3d>;
}  // namespace

// n links: 9 + 3 numbers of the place of each joint on the link before, mass, 3 numbers of the centre, 9 of the inertia
// about it, row by row, in the axes of the joint; torques. `world` chooses the axes in which Pinocchio works.
extern "C" void *build_arm(int n, const double *rotation, const double *place, const double *mass, const double *centre,
                           const double *inertia, const double *torque, const double *gravity, int world)
{
    Arm *arm = new Arm();
    arm->model.gravity.linear() = Vector(gravity);
    JointIndex parent = 0;
    for (int i = 0; i < n; i++) {
        const SE3 at(Matrix(rotation + 9 * i), Vector(place + 3 * i));
        parent = arm->model.addJoint(parent, JointModelRZ(), at, "joint" + std::to_string(i));
        const Inertia body(mass[i], Vector(centre + 3 * i), Eigen::Matrix3d(Matrix(inertia + 9 * i)));
        arm->model.appendBodyToJoint(parent, body, SE3::Identity());
    }
    arm->data = Data(arm->model);
    arm->torque = Eigen::Map<const Eigen::VectorXd>(torque, n);
    arm->convention = world ? Convention::WORLD : Convention::LOCAL;
    return arm;
}

// `parameters` points at the address of the arm; out: accelerations.
extern "C" int evaluate_arm(double, const double *q, const double *v, const double *parameters, double *out)
{
    Arm &arm = **reinterpret_cast<Arm *const *>(parameters);
    const int n = arm.model.nv;
    using Given = Eigen::Map<const Eigen::VectorXd>;
    Eigen::Map<Eigen::VectorXd>(out, n) =
        aba(arm.model, arm.data, Given(q, n), Given(v, n), arm.torque, arm.convention);
    return 0;
}
