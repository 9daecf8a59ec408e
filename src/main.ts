#!/usr/bin/env node
import {run} from './cli.js';

// `tiercast run … | head` closes the pipe early: the rest goes unread, but the files are still written.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await run(process.argv.slice(2));
