package io.millrace.driver;

import java.lang.foreign.MemorySegment;

/**
 * A registered piece of memory.
 *
 * @param memory the registered memory
 * @param remoteKey the key that a peer names in a write into this region
 * @param remoteBase the address that a peer names for the first byte: 0 with offset addressing, the
 *     virtual address otherwise
 * @param handle the driver's own
 */
public record MemoryRegion(MemorySegment memory, long remoteKey, long remoteBase, long handle) {}
