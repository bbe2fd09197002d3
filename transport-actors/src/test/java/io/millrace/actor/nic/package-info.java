@NullMarked
package io.millrace.actor.nic;

import org.jspecify.annotations.NullMarked;
