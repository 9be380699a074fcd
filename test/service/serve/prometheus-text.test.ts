// The reader of metrics must refuse what Prometheus refuses: otherwise the tests of metrics could not fail.
import { describe, expect, test } from 'vitest';
import { parsePrometheusText } from '../../support/prometheus-text.ts';

describe('the reader of the text format of Prometheus', () => {
  test('reads types, labels with escaped characters, and values', () => {
    const text = `# HELP up Whether it is up.
# TYPE up gauge
up 1
up{node="a \\"b\\" \\\\ c"} 2.5e-3
# TYPE took histogram
took_bucket{le="+Inf"} 3
took_sum 0.5
took_count 3
# TYPE limit gauge
limit +Inf
`;
    const read = parsePrometheusText(text);
    expect(read.types).toEqual(
      new Map([
        ['up', 'gauge'],
        ['took', 'histogram'],
        ['limit', 'gauge'],
      ]),
    );
    expect(read.value('took_bucket', { le: '+Inf' })).toBe(3);
    expect(read.value('limit')).toBe(Number.POSITIVE_INFINITY);
    expect(read.series[1]?.value).toBe(0.0025);
    expect(() => read.value('up')).toThrow('2 series');
    expect(() => read.value('down')).toThrow('0 series');
  });

  test.each([
    ['without the end of the last line', '# TYPE up gauge\nup 1'],
    ['with a type that does not exist', '# TYPE up number\nup 1\n'],
    ['with a type that is there twice', '# TYPE up gauge\n# TYPE up gauge\nup 1\n'],
    ['without a type', 'up 1\n'],
    ['with a series that is there twice', '# TYPE up gauge\nup{a="1",b="2"} 1\nup{b="2",a="1"} 2\n'],
    ['with a name that is not allowed', '# TYPE up-time gauge\nup-time 1\n'],
    ['with a value that is no number', '# TYPE up gauge\nup yes\n'],
    ['with a label without quotes', '# TYPE up gauge\nup{a=1} 1\n'],
    ['with a line break in a label', '# TYPE up gauge\nup{a="1\n2"} 1\n'],
    ['with a label that is there twice', '# TYPE up gauge\nup{a="1",a="2"} 1\n'],
    ['with a bucket of something that is no histogram', '# TYPE took gauge\ntook_bucket{le="1"} 1\n'],
  ])('refuses a text %s', (_, text) => {
    expect(() => parsePrometheusText(text)).toThrow(Error);
  });
});
