package io.millrace.testkit.internal.patch;

import static java.lang.constant.DirectMethodHandleDesc.Kind.INTERFACE_VIRTUAL;
import static java.lang.constant.DirectMethodHandleDesc.Kind.STATIC;
import static java.lang.constant.DirectMethodHandleDesc.Kind.VIRTUAL;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import org.jspecify.annotations.Nullable;

/**
 * An instance method answers to a static one of the same name, which takes the receiver as its
 * first argument. So it does not matter by which way the receiver came. What a subclass calls of
 * its superclass stays: it is how the receiver itself does it.
 *
 * @param home the class of the static method
 * @param receiver what its first parameter is declared as
 */
record WithReceiver(ClassDesc home, ClassDesc receiver) implements Rewrite {
  @Override
  public void emit(CodeBuilder code, InvokeInstruction call) {
    if (call.opcode() == Opcode.INVOKESPECIAL) {
      code.with(call);
      return;
    }
    code.invokestatic(
        home, call.name().stringValue(), call.typeSymbol().insertParameterTypes(0, receiver));
  }

  @Override
  public @Nullable DirectMethodHandleDesc reference(DirectMethodHandleDesc called) {
    if (called.kind() != VIRTUAL && called.kind() != INTERFACE_VIRTUAL) {
      return null;
    }
    MethodTypeDesc type = called.invocationType().changeParameterType(0, receiver);
    return MethodHandleDesc.ofMethod(STATIC, home, called.methodName(), type);
  }
}
