import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ChartCard } from '@/components/chat/parts/chart/chart-card';
import type { ChartView } from '@/components/chat/parts/chart/read-chart';
import { withTexts } from '../../support/with-texts';
import { readableText } from './render-markdown';

const chart: ChartView = {
  type: 'bar',
  title: null,
  xLabel: 'City',
  labels: ['Rome', 'Oslo'],
  series: [
    { name: 'Rain', values: [1, null] },
    { name: null, values: [2, null] },
  ],
};

test('a chart and a series without names get default names', () => {
  const html = renderToStaticMarkup(withTexts(createElement(ChartCard, { chart })));
  expect(html).toContain('aria-label="Chart: Bar chart"');
  expect(readableText(html)).toBe('Bar chartShow as tableRainSeries 2City');
});
