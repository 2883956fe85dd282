import { chromium, type Browser } from 'playwright-core';
import { findChromium } from '@/scripts/lib/chromium.mjs';

/** The Chromium of this machine, without a window. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = await findChromium();
  if (!executablePath) throw new Error('no Chromium found; set RECLOSER_CHROMIUM');
  // Its sandbox refuses to run as root, which containers do.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args });
}
