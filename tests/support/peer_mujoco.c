// peer_mujoco.c - MuJoCo by its C interface, from a model text kept in memory.
//
// Its conventions are ours: free joint with velocity in world axes and angular velocity in body
// axes, ball joint with angular velocity in child axes. Its order is not: it numbers bodies depth
// first. Inertias go by principal axes, because its own diagonalisation of `fullinertia` is good
// only to 1e-9 .. 8e-8.
//
// Loops are closed by `connect` and, for rods, by tendons of fixed length between sites, as stiff
// as it allows; its Newton solver solves them.
#include "support/peer_kind.h"

#include <mujoco/mujoco.h>

#include <stdlib.h>
#include <string.h>

typedef struct peer {
    mjModel *model;
    mjData *data;
    double *full; // nv x nv, the mass matrix in MuJoCo's order
    int nq, nv;
    int q_at[TREE_Q_MAX], v_at[TREE_V_MAX]; // our index -> MuJoCo's
} peer;

// ---- the model as a text -----------------------------------------------------------------------

static void write_numbers(FILE *out, const char *key, const double *value, int count)
{
    fprintf(out, " %s=\"", key);
    for (int i = 0; i < count; i++)
        fprintf(out, "%s%.17g", i > 0 ? " " : "", value[i]);
    fprintf(out, "\"");
}

static void write_joint(FILE *out, const tree_body *body, int index)
{
    static const char *const type[] = {
        [TREE_FREE] = "free", [TREE_HINGE] = "hinge", [TREE_PRISM] = "slide", [TREE_BALL] = "ball"};
    if (body->joint == TREE_FIXED)
        return;
    fprintf(out, "<joint name=\"%d\" type=\"%s\"", index, type[body->joint]);
    if (body->joint == TREE_HINGE || body->joint == TREE_PRISM)
        write_numbers(out, "axis", body->axis, 3);
    fprintf(out, "/>");
}

static void write_sites(FILE *out, const closed *c, int body)
{
    for (int k = 0; k < c->joint_count; k++) {
        const closed_joint *j = &c->joint[k];
        if (j->kind == CLOSED_DISTANCE && j->from == body) {
            fprintf(out, "<site name=\"from%d\"", k);
            write_numbers(out, "pos", j->at, 3);
            fprintf(out, "/>");
        }
        if (j->kind == CLOSED_DISTANCE && j->to == body) {
            fprintf(out, "<site name=\"to%d\"", k);
            write_numbers(out, "pos", j->to_at, 3);
            fprintf(out, "/>");
        }
    }
}

static void write_loops(FILE *out, const closed *c)
{
    fprintf(out, "<tendon>");
    for (int k = 0; k < c->joint_count; k++)
        if (c->joint[k].kind == CLOSED_DISTANCE)
            fprintf(out,
                    "<spatial name=\"rod%d\"><site site=\"from%d\"/><site site=\"to%d\"/>"
                    "</spatial>",
                    k, k, k);
    fprintf(out, "</tendon><equality>");
    for (int k = 0; k < c->joint_count; k++) {
        const closed_joint *j = &c->joint[k];
        if (j->kind == CLOSED_DISTANCE) {
            fprintf(out, "<tendon tendon1=\"rod%d\" solimp=\"0.9999 0.9999 0.001\"/>", k);
            continue;
        }
        fprintf(out, "<connect body1=\"%s\"", c->tree.body[j->from].name);
        if (j->to >= 0)
            fprintf(out, " body2=\"%s\"", c->tree.body[j->to].name);
        write_numbers(out, "anchor", j->at, 3);
        fprintf(out, " solimp=\"0.9999 0.9999 0.001\"/>");
    }
    fprintf(out, "</equality>");
}

static void write_children(FILE *out, const closed *c, int parent)
{
    const tree *t = &c->tree;
    for (int i = parent + 1; i < t->body_count; i++) {
        const tree_body *b = &t->body[i];
        if (b->parent != parent)
            continue;
        double moment[3], axes[4];
        tree_principal(b, moment, axes);
        for (int k = 0; k < 3; k++) // it takes no point mass, which does not turn anyway
            moment[k] = moment[k] > 1e-6 ? moment[k] : 1e-6;
        fprintf(out, "<body name=\"%s\"", b->name);
        if (b->joint != TREE_FREE) {
            write_numbers(out, "pos", b->p, 3);
            write_numbers(out, "quat", b->r0, 4);
        }
        fprintf(out, ">");
        write_joint(out, b, i);
        fprintf(out, "<inertial");
        write_numbers(out, "pos", b->com, 3);
        write_numbers(out, "quat", axes, 4);
        write_numbers(out, "mass", &b->mass, 1);
        write_numbers(out, "diaginertia", moment, 3);
        fprintf(out, "/>");
        write_sites(out, c, i);
        write_children(out, c, i);
        fprintf(out, "</body>\n");
    }
}

static mjModel *load(const closed *c)
{
    const tree *t = &c->tree;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    mjVFS *files = calloc(1, sizeof *files); // about 2 MB
    mjModel *model = NULL;
    char reason[512] = "no memory";
    if (out != NULL) {
        fprintf(out, "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\"/><option");
        write_numbers(out, "gravity", t->gravity, 3);
        fprintf(out,
                " solver=\"Newton\"><flag constraint=\"%s\" contact=\"disable\" "
                "passive=\"disable\" actuation=\"disable\" sensor=\"disable\"/>"
                "</option><worldbody>\n",
                c->joint_count > 0 ? "enable" : "disable");
        write_sites(out, c, -1);
        write_children(out, c, -1);
        fprintf(out, "</worldbody>");
        if (c->joint_count > 0)
            write_loops(out, c);
        fprintf(out, "</mujoco>\n");
        fclose(out);
    }
    if (text != NULL && files != NULL) {
        mj_defaultVFS(files);
        if (mj_makeEmptyFileVFS(files, "tree.xml", (int)size) == 0) {
            memcpy(files->filedata[0], text, size);
            model = mj_loadXML("tree.xml", files, reason, (int)sizeof reason);
        }
        mj_deleteVFS(files);
    }
    if (model == NULL)
        fprintf(stderr, "mujoco: %s: %s\n", t->name, reason);
    free(files);
    free(text);
    return model;
}

// ---- the interface -----------------------------------------------------------------------------

static void destroy(void *handle)
{
    peer *p = handle;
    if (p == NULL)
        return;
    if (p->data != NULL)
        mj_deleteData(p->data);
    if (p->model != NULL)
        mj_deleteModel(p->model);
    free(p->full);
    free(p);
}

static void map_order(peer *p, const tree *t)
{
    for (int i = 0; i < t->body_count; i++) {
        const tree_joint joint = t->body[i].joint;
        if (joint == TREE_FIXED)
            continue;
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        const int id = mj_name2id(p->model, mjOBJ_JOINT, name);
        for (int k = 0; k < tree_joint_nq(joint); k++)
            p->q_at[p->nq++] = p->model->jnt_qposadr[id] + k;
        for (int k = 0; k < tree_joint_nv(joint); k++)
            p->v_at[p->nv++] = p->model->jnt_dofadr[id] + k;
    }
}

static void *create_closed(const closed *c)
{
    const tree *t = &c->tree;
    peer *p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    p->model = load(c);
    p->data = p->model != NULL ? mj_makeData(p->model) : NULL;
    const size_t nv = (size_t)tree_nv(t);
    p->full = calloc(nv * nv + 1, sizeof *p->full);
    if (p->data == NULL || p->full == NULL) {
        destroy(p);
        return NULL;
    }
    map_order(p, t);
    return p;
}

static void *create(const tree *t)
{
    closed *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    c->tree = *t;
    void *p = create_closed(c);
    free(c);
    return p;
}

static void accelerations(void *handle, const double *q, const double *v, const double *tau,
                          double *qdd)
{
    const peer *p = handle;
    mjData *d = p->data;
    for (int i = 0; i < p->nq; i++)
        d->qpos[p->q_at[i]] = q[i];
    for (int i = 0; i < p->nv; i++) {
        d->qvel[p->v_at[i]] = v[i];
        d->qfrc_applied[p->v_at[i]] = tau[i];
    }
    mj_forwardSkip(p->model, d, mjSTAGE_NONE, 1);
    for (int i = 0; i < p->nv; i++)
        qdd[i] = d->qacc[p->v_at[i]];
}

static void mass(void *handle, const double *q, double *m)
{
    const peer *p = handle;
    for (int i = 0; i < p->nq; i++)
        p->data->qpos[p->q_at[i]] = q[i];
    mj_fwdPosition(p->model, p->data);
    mj_fullM(p->model, p->full, p->data->qM);
    for (int i = 0; i < p->nv; i++)
        for (int k = 0; k < p->nv; k++)
            m[i * p->nv + k] = p->full[p->v_at[i] * p->nv + p->v_at[k]];
}

const peer_kind peer_mujoco = {"MuJoCo", create, destroy, accelerations, mass};

static bool has_kind(closed_kind kind)
{
    return kind == CLOSED_BALL || kind == CLOSED_DISTANCE;
}

const peer_closed_kind peer_mujoco_closed = {"MuJoCo", has_kind, create_closed, destroy,
                                             accelerations};
