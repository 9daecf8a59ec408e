#pragma once
#include <Foundation/Foundation.h>
typedef NSUInteger MTLResourceOptions;
enum : NSUInteger { MTLResourceStorageModeShared = 0, MTLResourceStorageModePrivate = 2 << 4 };
typedef NSUInteger MTLCommandBufferStatus;
enum : NSUInteger { MTLCommandBufferStatusError = 5 };
typedef struct { NSUInteger width, height, depth; } MTLSize;
MTLSize MTLSizeMake(NSUInteger width, NSUInteger height, NSUInteger depth);
@class MTLCompileOptions;
@protocol MTLBuffer
- (void*)contents;
@end
@protocol MTLFunction
@end
@protocol MTLComputePipelineState
@end
@protocol MTLLibrary
- (id<MTLFunction>)newFunctionWithName:(NSString*)name;
@end
@protocol MTLComputeCommandEncoder
- (void)setComputePipelineState:(id<MTLComputePipelineState>)state;
- (void)setBuffer:(id<MTLBuffer>)buffer offset:(NSUInteger)offset atIndex:(NSUInteger)index;
- (void)setBytes:(const void*)bytes length:(NSUInteger)length atIndex:(NSUInteger)index;
- (void)dispatchThreadgroups:(MTLSize)groups threadsPerThreadgroup:(MTLSize)threads;
- (void)endEncoding;
@end
@protocol MTLBlitCommandEncoder
- (void)copyFromBuffer:(id<MTLBuffer>)from sourceOffset:(NSUInteger)at toBuffer:(id<MTLBuffer>)to destinationOffset:(NSUInteger)there size:(NSUInteger)size;
- (void)endEncoding;
@end
@protocol MTLCommandBuffer
- (id<MTLComputeCommandEncoder>)computeCommandEncoder;
- (id<MTLBlitCommandEncoder>)blitCommandEncoder;
- (void)commit;
- (void)waitUntilCompleted;
- (MTLCommandBufferStatus)status;
- (double)GPUStartTime;
- (double)GPUEndTime;
@end
@protocol MTLCommandQueue
- (id<MTLCommandBuffer>)commandBuffer;
@end
@protocol MTLDevice
- (NSString*)name;
- (id<MTLLibrary>)newLibraryWithSource:(NSString*)source options:(MTLCompileOptions*)options error:(NSError**)error;
- (id<MTLComputePipelineState>)newComputePipelineStateWithFunction:(id<MTLFunction>)function error:(NSError**)error;
- (id<MTLCommandQueue>)newCommandQueue;
- (id<MTLBuffer>)newBufferWithLength:(NSUInteger)length options:(MTLResourceOptions)options;
- (uint64_t)recommendedMaxWorkingSetSize;
- (BOOL)hasUnifiedMemory;
@end
extern "C" id<MTLDevice> MTLCreateSystemDefaultDevice(void);
