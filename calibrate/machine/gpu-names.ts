import {deviceNamed} from '../names.js';

/** Names that NVIDIA's driver gives to devices whose marketing name says it otherwise; recalled from what nvidia-smi prints. */
const driverNames: Readonly<Record<string, string>> = {
  'NVIDIA H100 80GB HBM3': 'h100-sxm',
  'NVIDIA H200': 'h200-sxm',
  'NVIDIA A100-SXM4-80GB': 'a100-sxm-80gb',
  'NVIDIA A100-SXM4-40GB': 'a100-sxm-40gb',
  'NVIDIA B200': 'b200-sxm',
};

/** The built-in device that a driver's name means; null when there is none, or several. */
export function gpuNamed(name: string): string | null {
  return Object.hasOwn(driverNames, name) ? driverNames[name] : deviceNamed(name);
}
