package io.millrace.api.bulk;

import io.millrace.transfer.Headers;

/**
 * The receipt of a bulk transfer with all bytes arrived.
 *
 * @param bytes the number of verified payload bytes
 * @param headers the headers of the other side's answer: ahead of the bytes of a read, or after the
 *     bytes of a write
 */
public record BulkReceipt(long bytes, Headers headers) {}
