import { mount } from '@/lib/endpoints/mount';

export const PUT = mount('PUT', '/api/publishers/own');
