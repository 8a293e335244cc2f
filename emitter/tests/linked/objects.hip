// Virtual functions, recursion, tables of functions, dynamic LDS.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))

__device__ int values[8] = {1, 2, 3};
__constant__ float factors[64];
__device__ double total;
extern __shared__ int dynamic[];

struct Base {
  virtual __device__ int of(int);
  int own;
};
__device__ int Base::of(int a) { return a + own + values[a & 7]; }

__device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

typedef int (*Function)(int);
__device__ int next(int a) { return a + 1; }
__device__ int twice(int a) { return a * 2; }
__device__ Function functions[2] = {next, twice};

__global__ void call(int *out, Base *base, int n) {
  dynamic[n] = base->of(n);
  out[n] = dynamic[0] + factorial(n) + functions[n & 1](n);
  total += factors[n];
}

__global__ void copy(float *out) {
  __shared__ float tile[128];
  tile[__builtin_amdgcn_workitem_id_x()] = out[0];
  out[1] = tile[5];
}
