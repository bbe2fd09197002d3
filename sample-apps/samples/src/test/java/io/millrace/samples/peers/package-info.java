@NullMarked
package io.millrace.samples.peers;

import org.jspecify.annotations.NullMarked;
