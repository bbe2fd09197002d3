package io.millrace.api.bulk;

/**
 * A bulk transfer that arrived whole; the receiver owns the array.
 *
 * @param bytes payload bytes that were verified
 * @param headers what the other side answered ahead of the bytes of a read, or once it had those of
 *     a write
 */
public record BulkReceipt(long bytes, byte[] headers) {}
