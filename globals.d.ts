// What next-env.d.ts would bring, so that types can be checked before the first build.
/// <reference types="next" />
/// <reference types="next/image-types/global" />
