// Loaded before a command that is measured: writes what the process used when it ends.
import {writeFileSync} from 'node:fs';

process.on('exit', () => writeFileSync(process.env.USAGE_FILE, JSON.stringify(process.resourceUsage())));
