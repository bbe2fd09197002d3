/** Messages of Protocol Buffers as the requests and responses of routes. */
@NullMarked
package io.millrace.protobuf;

import org.jspecify.annotations.NullMarked;
