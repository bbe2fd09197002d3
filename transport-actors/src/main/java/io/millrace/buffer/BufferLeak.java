package io.millrace.buffer;

/**
 * A buffer that is not free, or several buffers of a single holder.
 *
 * @param id the id of the buffer, or of the first buffer
 * @param owner the owner that asked for the buffer
 * @param bytes bytes of the buffer's blocks, or of the holder's buffers
 * @param references the number of holders
 * @param ageNs the time since the allocation
 */
public record BufferLeak(long id, String owner, int bytes, int references, long ageNs) {}
