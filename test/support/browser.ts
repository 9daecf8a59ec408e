import {existsSync} from 'node:fs';
import {type Browser, chromium} from 'playwright-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executablePath = process.env['CHROME_PATH'] ?? places.find((place) => existsSync(place)) ?? places[0]!;

/** Whether there is no browser to test pages in. */
export const noBrowser = !existsSync(executablePath);

/** What a group of tests in the browser is called: where the browser is, and why they may be skipped. */
export const inBrowser = `in ${executablePath} (skipped where that is not there; CHROME_PATH names another)`;

/** Starts the browser. It asks for nothing by itself. */
export function launchBrowser(): Promise<Browser> {
  const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-dev-shm-usage'];
  return chromium.launch({executablePath, args});
}
