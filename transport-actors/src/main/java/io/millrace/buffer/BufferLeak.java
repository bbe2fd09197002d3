package io.millrace.buffer;

/**
 * A buffer that is not free.
 *
 * @param id its id
 * @param owner who asked for it
 * @param capacityBytes bytes of its blocks
 * @param references how many hold it
 * @param ageNs since it was allocated
 */
public record BufferLeak(long id, String owner, int capacityBytes, int references, long ageNs) {}
