@NullMarked
package io.millrace.actor.packet;

import org.jspecify.annotations.NullMarked;
