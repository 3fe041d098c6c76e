/* SPDX-License-Identifier: MIT */
/* Level files that assimp reads: .glb, .gltf, .fbx and others. All meshes of a file become one list of triangles. */
#include "level.h"

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <stdbool.h>
#include <stdlib.h>

#include "cli/output/messages.h"

static void count_parts(const struct aiScene *scene, level_file *out) {
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        out->vertex_count += scene->mMeshes[m]->mNumVertices;
        out->triangle_count += scene->mMeshes[m]->mNumFaces;
    }
}

/* Lines and points are left out. */
static void copy_mesh(const struct aiMesh *mesh, level_file *out) {
    const size_t base = out->vertex_count;
    for (unsigned i = 0; i < mesh->mNumVertices; i++, out->vertex_count++) {
        float *to = &out->vertices[3 * out->vertex_count];
        to[0] = (float)mesh->mVertices[i].x;
        to[1] = (float)mesh->mVertices[i].y;
        to[2] = (float)mesh->mVertices[i].z;
    }
    for (unsigned i = 0; i < mesh->mNumFaces; i++) {
        if (mesh->mFaces[i].mNumIndices != 3) continue;
        for (int k = 0; k < 3; k++)
            out->triangles[3 * out->triangle_count + (size_t)k] = (uint32_t)(base + mesh->mFaces[i].mIndices[k]);
        out->triangle_count++;
    }
}

static bool copy_scene(const struct aiScene *scene, level_file *out) {
    count_parts(scene, out);
    out->vertices = malloc((3 * out->vertex_count + 1) * sizeof *out->vertices);
    out->triangles = malloc((3 * out->triangle_count + 1) * sizeof *out->triangles);
    out->vertex_count = out->triangle_count = 0;
    if (!out->vertices || !out->triangles) return false;
    for (unsigned m = 0; m < scene->mNumMeshes; m++) copy_mesh(scene->mMeshes[m], out);
    return true;
}

/* Cutting a face into triangles takes the square of its corners. */
static int check_faces(const char *path, const struct aiScene *scene) {
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        for (unsigned i = 0; i < scene->mMeshes[m]->mNumFaces; i++) {
            const unsigned corners = scene->mMeshes[m]->mFaces[i].mNumIndices;
            if (corners > LEVEL_MAX_CORNERS)
                return cli_fail_at(path, 0, 0, "face %u of mesh %u has %u corners, at most %d are read", i + 1, m + 1,
                                   corners, LEVEL_MAX_CORNERS);
        }
    }
    return CLI_DONE;
}

int level_load_other(const char *path, level_file *out) {
    const struct aiScene *scene = aiImportFile(path, 0);
    const int status = scene ? check_faces(path, scene) : CLI_DONE;
    if (status) {
        aiReleaseImport(scene);
        return status;
    }
    if (scene)
        scene = aiApplyPostProcessing(scene, aiProcess_Triangulate | aiProcess_PreTransformVertices |
                                                 aiProcess_JoinIdenticalVertices);
    if (!scene) return cli_fail_at(path, 0, 0, "%s", aiGetErrorString());
    const bool copied = copy_scene(scene, out);
    aiReleaseImport(scene);
    if (copied) return CLI_DONE;
    level_free(out);
    return cli_fail("%s", wend_error_detail(WEND_OUT_OF_MEMORY));
}
