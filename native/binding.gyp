{
  "target_defaults": {
    "sources": ["<!@(node sources.mjs)"],
    "cflags_cc": ["-std=c++17", "-O3", "-ffp-contract=fast", "-fno-math-errno", "-fexceptions", "-Wno-psabi", "-Wno-unused-function"],
    "cflags_cc!": ["-fno-exceptions", "-fno-rtti"],
    "xcode_settings": {
      "CLANG_CXX_LANGUAGE_STANDARD": "c++17", "GCC_ENABLE_CPP_EXCEPTIONS": "YES", "GCC_OPTIMIZATION_LEVEL": "3",
      "OTHER_CFLAGS": ["-fobjc-arc", "-ffp-contract=fast", "-fno-math-errno"], "MACOSX_DEPLOYMENT_TARGET": "12.0"
    },
    "conditions": [
      ["OS=='linux'", {"libraries": ["-ldl", "-pthread"], "defines": ["CALIB_CUDA_IMAGE=\"<!(node cuda-image.mjs)\""]}],
      ["OS=='mac'", {"link_settings": {"libraries": ["-framework Foundation", "-framework Metal", "-framework MetalPerformanceShaders"]}}]
    ]
  },
  "targets": [
    {
      "target_name": "calib",
      "sources": ["src/addon.cc"],
      "include_dirs": ["<!(node -p \"require('node-addon-api').include_dir\")"],
      "defines": ["NAPI_VERSION=8", "NODE_ADDON_API_CPP_EXCEPTIONS"]
    },
    {"target_name": "calib-bench", "type": "executable", "sources": ["src/main.cc"]}
  ]
}
