package io.millrace.buffer;

/**
 * A buffer that is not free, or several that one holder has.
 *
 * @param id its id, or the first one's
 * @param owner who asked for it
 * @param bytes of the buffer's blocks, or what the holder has in its buffers
 * @param references how many hold it
 * @param ageNs since it was allocated
 */
public record BufferLeak(long id, String owner, int bytes, int references, long ageNs) {}
