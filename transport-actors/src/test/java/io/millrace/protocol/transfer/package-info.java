@NullMarked
package io.millrace.protocol.transfer;

import org.jspecify.annotations.NullMarked;
