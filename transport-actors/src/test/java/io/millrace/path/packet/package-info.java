@NullMarked
package io.millrace.path.packet;

import org.jspecify.annotations.NullMarked;
