// Rows times panels of weights, element by element the fused multiply-add over the columns in their order, starting at zero:
// the very sum that the processor computes (crates/local/src/product.rs), so the bits are the same.
//
// A panel holds the weights of 32 outputs side by side, column by column, and belongs to one warp, a lane to an output. The rows of
// a block lie in shared memory, a piece of the columns at a time.
//
// times.ptx is made of this file by fixtures/cuda/ptx.py.

#define WARPS 4
#define PIECE 128

template <int ROWS>
__device__ void multiply(const float *rows, const float *panels, float *results, unsigned count, unsigned columns, unsigned outputs) {
    __shared__ float piece[PIECE][ROWS];
    const unsigned lane = threadIdx.x % 32, first = blockIdx.y * ROWS;
    const size_t panel = (size_t)blockIdx.x * WARPS + threadIdx.x / 32, output = panel * 32 + lane;
    const bool mine = panel * 32 < outputs;
    const float *weights = panels + panel * 32 * columns + lane;
    float sums[ROWS];
#pragma unroll
    for (int row = 0; row < ROWS; row++) sums[row] = 0.0f;
    for (unsigned start = 0; start < columns; start += PIECE) {
        const unsigned length = min((unsigned)PIECE, columns - start);
        __syncthreads();
        for (unsigned at = threadIdx.x; at < PIECE * ROWS; at += WARPS * 32) {
            const unsigned row = at / PIECE, column = at % PIECE;
            const bool there = first + row < count && column < length;
            piece[column][row] = there ? rows[(size_t)(first + row) * columns + start + column] : 0.0f;
        }
        __syncthreads();
        if (!mine) continue;
        const float *here = weights + (size_t)start * 32;
        if (length == PIECE) {
#pragma unroll (ROWS == 1 ? 32 : 8)
            for (unsigned column = 0; column < PIECE; column++) {
                const float weight = here[column * 32];
#pragma unroll
                for (int row = 0; row < ROWS; row++) sums[row] = fmaf(piece[column][row], weight, sums[row]);
            }
        } else {
            for (unsigned column = 0; column < length; column++) {
                const float weight = here[column * 32];
#pragma unroll
                for (int row = 0; row < ROWS; row++) sums[row] = fmaf(piece[column][row], weight, sums[row]);
            }
        }
    }
    if (output >= outputs) return;
#pragma unroll
    for (int row = 0; row < ROWS; row++) {
        if (first + row < count) results[(size_t)(first + row) * outputs + output] = sums[row];
    }
}

extern "C" __global__ void times_one(const float *rows, const float *panels, float *results, unsigned count, unsigned columns, unsigned outputs) {
    multiply<1>(rows, panels, results, count, columns, outputs);
}

extern "C" __global__ void times_many(const float *rows, const float *panels, float *results, unsigned count, unsigned columns, unsigned outputs) {
    multiply<16>(rows, panels, results, count, columns, outputs);
}
