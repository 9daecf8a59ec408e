"""The second half of gpu-check.sh: times some of calib-bench's points with PyTorch, and prints what holds."""
import json
import pathlib
import statistics
import sys

# What an H200 must reach (its datasheet: 4.8 TB/s, 989 TFLOP/s dense bf16; 83 to 96 % and 76 to 81 % of it). Other GPUs are shown without a verdict.
H200 = {'mem.read': (4.0e12, 4.6e12), 'mem.copy': (4.1e12, 4.5e12), 'gemm 8192': (750e12, 800e12)}
LONG = 100e-6  # shorter calls differ by launch cost, not by the kernel


def lines(folder):
    return [json.loads(line) for line in (folder / 'bench.jsonl').read_text().splitlines()]


def samples(rows, op, dtype=None):
    fine = [row for row in rows if row['kind'] == 'sample' and row['status'] == 'ok' and row['op'] == op]
    return [row for row in fine if dtype is None or row['dtype'] == dtype]


def seconds(call, count=20):
    import torch
    times = []
    for i in range(count + 3):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        call()
        end.record()
        torch.cuda.synchronize()
        if i >= 3:
            times.append(begin.elapsed_time(end) / 1e3)
    return statistics.median(times)


def time_with_torch(folder):
    import torch
    rows, answers = lines(folder), []
    gemms = [row for row in samples(rows, 'gemm', 'bf16') if row['t']['p50'] >= LONG]
    for row in gemms[:: max(1, len(gemms) // 20)]:
        m, n, k = (row['shape'][axis] for axis in 'mnk')
        x = torch.rand(m, k, device='cuda').mul_(2).sub_(1).bfloat16()
        weights = torch.rand(n, k, device='cuda').mul_(2).sub_(1).bfloat16()
        answers.append({'op': 'gemm', 'shape': row['shape'], 'bench': row['t']['p50'], 'torch': seconds(lambda: x @ weights.T)})
    for row in [each for each in samples(rows, 'mem.copy_engine') if each['t']['p50'] >= LONG]:
        source = torch.rand(row['shape']['bytes'] // 8, device='cuda')
        target = torch.empty_like(source)
        answers.append({'op': row['op'], 'shape': row['shape'], 'bench': row['t']['p50'], 'torch': seconds(lambda: target.copy_(source))})
    (folder / 'torch.json').write_text(json.dumps(answers, indent=1))


def verdicts(folder):
    rows = lines(folder)
    gpu = next(row for row in rows if row['kind'] == 'env')['gpu']
    yield None, f"{gpu['name']}, {gpu['image']}, driver {gpu['driver'] or 'unknown'}"
    bad = [row for row in rows if row.get('status') == 'failed']
    yield not bad, f'no point failed ({len(bad)})' + ''.join(f"\n       {row['op']} {row['shape']}: {row['message']}" for row in bad)
    skipped = [row for row in rows if row.get('status') == 'skipped']
    yield None, f"{len(skipped)} points skipped: {', '.join(sorted({row['code'] for row in skipped})) or 'none'}"
    checks = [row for row in rows if row['kind'] == 'check']
    yield bool(checks) and all(row['ok'] for row in checks), f'{len(checks)} kernels agree with their references'
    yield rows[-1]['kind'] == 'end', 'the file is whole'
    for tool in ('memcheck', 'racecheck'):
        code = folder / f'{tool}.code'
        yield (code.read_text().strip() == '0') if code.exists() else None, f'compute-sanitizer {tool}' + ('' if code.exists() else ': not run')
    yield from rates(rows, gpu['name'])
    yield from against_torch(folder)


def rates(rows, name):
    def verdict(what, rate):
        low, high = H200[what]
        return low <= rate <= high if 'H200' in name else None

    for op in ('mem.read', 'mem.copy', 'mem.triad'):
        large = [row['bytes'] / row['t']['p50'] for row in samples(rows, op) if row['shape']['bytes'] >= 512 << 20]
        if large:
            yield verdict(op, max(large)) if op in H200 else None, f'{op}: {max(large) / 1e12:.2f} TB/s beyond the caches'
    for row in samples(rows, 'sustained'):
        rate = row['flops'] / row['burst']
        yield verdict('gemm 8192', rate), f"bf16 8192³: {rate / 1e12:.0f} TFLOP/s at first, {row['flops'] / row['t']['p50'] / 1e12:.0f} after 15 s"


def against_torch(folder):
    if not (folder / 'torch.json').exists():
        yield None, 'PyTorch: not compared'
        return
    answers = json.loads((folder / 'torch.json').read_text())
    for op in sorted({each['op'] for each in answers}):
        off = [each['bench'] / each['torch'] - 1 for each in answers if each['op'] == op]
        worst = max(off, key=abs)
        yield abs(worst) <= 0.05, f'{op}: {len(off)} shapes within 5 % of PyTorch (median {statistics.median(off):+.1%}, worst {worst:+.1%})'


if __name__ == '__main__':
    task, target = sys.argv[1], pathlib.Path(sys.argv[2])
    if task == 'torch':
        time_with_torch(target)
    else:
        held = list(verdicts(target))
        for ok, what in held:
            print({True: 'pass  ', False: 'FAIL  ', None: '      '}[ok] + what)
        sys.exit(any(ok is False for ok, _ in held))
