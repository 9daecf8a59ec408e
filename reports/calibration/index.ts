import {type PageParts, pageDocument} from '../page/document.js';
import {type Part, pageBody, sectionsOf} from '../page/sections.js';
import {settledValue} from '../page/settled.js';
import {bandwidth} from './bandwidth.js';
import {coverage} from './coverage.js';
import {errors} from './errors.js';
import {head} from './head.js';
import {predicted} from './predicted.js';
import {provenance} from './provenance.js';
import {roofline} from './roofline.js';
import type {CalibrationView} from './view.js';

/** Every part of the page, in its order. */
const parts: Readonly<Record<string, Part<CalibrationView>>> = {roofline, predicted, bandwidth, errors, coverage, provenance};

/** Draws the page of a device profile: one file that works offline and runs no script but its own. Pure: equal views give equal bytes. */
export function renderCalibration(view: CalibrationView, page: PageParts): string {
  const shown = settledValue(view) as CalibrationView;
  const body = pageBody(head(shown), 'Parts', sectionsOf(parts, shown), `Drawn by tiercast ${shown.tiercast.version}.`);
  return pageDocument(page, `${shown.name} · tiercast calibrate`, body);
}
