@NullMarked
package io.millrace.protocol.replay;

import org.jspecify.annotations.NullMarked;
