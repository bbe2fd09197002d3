/** Tests of the machines of streams. */
@NullMarked
package io.millrace.protocol.stream;

import org.jspecify.annotations.NullMarked;
