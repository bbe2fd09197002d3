package io.millrace.api.bulk;

import io.millrace.transfer.Headers;

/**
 * A bulk transfer that arrived whole.
 *
 * @param bytes payload bytes that were verified
 * @param headers what the other side answered ahead of the bytes of a read, or once it had those of
 *     a write
 */
public record BulkReceipt(long bytes, Headers headers) {}
