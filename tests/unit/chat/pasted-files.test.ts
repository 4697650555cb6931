import { describe, expect, test } from 'vitest';
import { pastedFiles } from '@/components/chat/state/attachments';

function clipboard(names: string[], text = '') {
  const files = names.map((name) => new File(['x'], name, { type: 'image/png' }));
  return { files, getData: (type: string) => (type === 'text/plain' ? text : '') };
}

const namesOf = (files: File[]) => files.map(({ name }) => name);

describe('pasted content', () => {
  test('is attached if it consists of an image or files', () => {
    expect(namesOf(pastedFiles(clipboard(['image.png']), []))).toEqual(['image.png']);
    expect(namesOf(pastedFiles(clipboard(['a.csv', 'b.csv']), []))).toEqual(['a.csv', 'b.csv']);
  });

  test('is attached even if a file manager adds names or paths', () => {
    expect(pastedFiles(clipboard(['a b.csv'], 'a b.csv'), [])).toHaveLength(1);
    expect(pastedFiles(clipboard(['a b.csv'], 'file:///home/x/a%20b.csv\n'), [])).toHaveLength(1);
    expect(pastedFiles(clipboard(['a.csv', 'b.csv'], '/home/x/a.csv\n/home/x/b.csv'), [])).toHaveLength(2);
  });

  test('remains text if it contains text, even with an image that office programs add', () => {
    expect(pastedFiles(clipboard(['image.png'], 'A\t1\nB\t2'), [])).toEqual([]);
    expect(pastedFiles(clipboard([], 'hello'), [])).toEqual([]);
  });

  test('does not replace an earlier paste with the same name', () => {
    expect(namesOf(pastedFiles(clipboard(['image.png']), ['image.png', 'image-2.png']))).toEqual(['image-3.png']);
    expect(namesOf(pastedFiles(clipboard(['image.png', 'image.png']), []))).toEqual(['image.png', 'image-2.png']);
  });
});
