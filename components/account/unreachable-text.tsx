'use client';

import { useEffect } from 'react';
import { tellUnreachable } from './call-api';

/** Tells calls of our API what to say when nothing answers. Draws nothing; mounted once, in a layout. */
export function UnreachableText({ text }: { text: string }): null {
  useEffect(() => tellUnreachable(text), [text]);
  return null;
}
