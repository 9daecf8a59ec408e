#pragma once
#include <Metal/Metal.h>
typedef uint32_t MPSDataType;
enum : uint32_t { MPSDataTypeFloat16 = 0x10000000 | 16, MPSDataTypeFloat32 = 0x10000000 | 32 };
@interface MPSMatrixDescriptor : NSObject
+ (instancetype)matrixDescriptorWithRows:(NSUInteger)rows columns:(NSUInteger)columns rowBytes:(NSUInteger)bytes dataType:(MPSDataType)type;
@end
@interface MPSMatrix : NSObject
- (instancetype)initWithBuffer:(id<MTLBuffer>)buffer descriptor:(MPSMatrixDescriptor*)descriptor;
@end
@interface MPSMatrixMultiplication : NSObject
- (instancetype)initWithDevice:(id<MTLDevice>)device transposeLeft:(BOOL)left transposeRight:(BOOL)right resultRows:(NSUInteger)rows
    resultColumns:(NSUInteger)columns interiorColumns:(NSUInteger)interior alpha:(double)alpha beta:(double)beta;
- (void)encodeToCommandBuffer:(id<MTLCommandBuffer>)commands leftMatrix:(MPSMatrix*)left rightMatrix:(MPSMatrix*)right resultMatrix:(MPSMatrix*)result;
@end
