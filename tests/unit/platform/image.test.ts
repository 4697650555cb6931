import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { imageProxyUrl, isValidImageSignature, reencodeImage } from '@/lib/platform/image';

function picture(width: number, height: number): ReturnType<typeof sharp> {
  return sharp({ create: { width, height, channels: 3, background: '#2266aa' } });
}

describe('XSS-2 the image encoder', () => {
  it.each(['png', 'jpeg', 'gif', 'webp'] as const)('converts %s to a small WebP without metadata', async (format) => {
    const original = await picture(400, 200)
      .withMetadata({ exif: { IFD0: { Copyright: 'secret' } } })
      .toFormat(format)
      .toBuffer();
    const made = await reencodeImage(original, 100);
    expect(await sharp(made).metadata()).toMatchObject({ format: 'webp', width: 100, height: 50 });
    expect((await sharp(made).metadata()).exif).toBeUndefined();
  });

  it.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['HTML', '<!doctype html><img src=x onerror=alert(1)>'],
    ['nothing', ''],
    ['an invalid PNG', '\x89PNG\r\n\x1a\nno more'],
  ])('rejects %s', async (_name, text) => {
    await expect(reencodeImage(Buffer.from(text, 'latin1'), 100)).rejects.toMatchObject({
      code: 'unsupported_media_type',
    });
  });

  it('rejects an image that exceeds the pixel limit', async () => {
    const bomb = await picture(6_000, 6_000).png({ compressionLevel: 9 }).toBuffer();
    expect(bomb.length).toBeLessThan(1_000_000);
    await expect(reencodeImage(bomb, 100)).rejects.toMatchObject({ code: 'unsupported_media_type' });
  });

  it('accepts only URLs that Parley signed', () => {
    const query = new URL(imageProxyUrl('https://images.example/a.png?b=1'), 'http://x').searchParams;
    const [url, sig] = [query.get('url') ?? '', query.get('sig') ?? ''];
    expect(url).toBe('https://images.example/a.png?b=1');
    expect(isValidImageSignature(url, sig)).toBe(true);
    expect(isValidImageSignature('https://images.example/other.png', sig)).toBe(false);
  });
});
