import { nextAuth } from '@/lib/endpoints/auth-next';
import { mountAlone } from '@/lib/endpoints/mount';

export const GET = mountAlone(nextAuth);
export const POST = mountAlone(nextAuth);
