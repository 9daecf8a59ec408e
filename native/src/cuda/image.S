// The kernels' image inside the program; the build says which file. A zero ends it, because PTX is read as text.
    .section .rodata
    .globl calib_cuda_image
    .hidden calib_cuda_image
    .balign 64
calib_cuda_image:
    .incbin CALIB_CUDA_IMAGE
    .byte 0
    .section .note.GNU-stack, "", %progbits
