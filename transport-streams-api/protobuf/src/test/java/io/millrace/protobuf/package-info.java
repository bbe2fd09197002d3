/** Tests of the codec of Protocol Buffers. */
@NullMarked
package io.millrace.protobuf;

import org.jspecify.annotations.NullMarked;
