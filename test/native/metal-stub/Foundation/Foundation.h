// Declarations of the few things of Apple's frameworks that metal.mm uses, written from Apple's documentation, for a syntax check elsewhere.
#pragma once
#include <stddef.h>
#include <stdint.h>
typedef bool BOOL;
typedef unsigned long NSUInteger;
typedef long NSInteger;
#define YES true
#define NO false
#define nil nullptr
typedef NSInteger NSProcessInfoThermalState;
__attribute__((objc_root_class)) @interface NSObject
+ (instancetype)alloc;
@end
@interface NSString : NSObject
+ (instancetype)stringWithUTF8String:(const char*)text;
- (const char*)UTF8String;
@end
@interface NSError : NSObject
- (NSString*)localizedDescription;
@end
@interface NSProcessInfo : NSObject
+ (NSProcessInfo*)processInfo;
- (NSProcessInfoThermalState)thermalState;
- (BOOL)isLowPowerModeEnabled;
@end
