// Turns a log of requests into a trace for `tiercast trace`, `cache` and `replay` (the Mooncake format), one JSON object a line:
//   in:  {"time_s": 12.5, "prompt": [token ids], "output_tokens": 120}
//   out: {"timestamp": ms, "input_length": …, "output_length": …, "hash_ids": […]}
// An id stands for a block and all that came before it, so equal ids mean an equal prefix. Prompts themselves do not leave this script.
import {createHash} from 'node:crypto';
import {createInterface} from 'node:readline';

const BLOCK = 512;
const ids = new Map();

for await (const line of createInterface({input: process.stdin})) {
  if (line.trim() === '') continue;
  const {time_s: seconds, prompt, output_tokens: output} = JSON.parse(line);
  const hashes = [];
  let before = '';
  for (let start = 0; start < prompt.length; start += BLOCK) {
    // 256 bits of the block and of what stood before it: neither is ever mistaken for another.
    before = createHash('sha256')
      .update(`${before}:${prompt.slice(start, start + BLOCK)}`)
      .digest('hex');
    if (!ids.has(before)) ids.set(before, ids.size);
    hashes.push(ids.get(before));
  }
  console.log(
    JSON.stringify({timestamp: Math.round(1000 * seconds), input_length: prompt.length, output_length: output, hash_ids: hashes}),
  );
}
