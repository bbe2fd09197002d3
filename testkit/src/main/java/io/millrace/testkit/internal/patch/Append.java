package io.millrace.testkit.internal.patch;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/**
 * Calls the longer overload, whose last argument is the value that the shorter overload would
 * choose itself.
 *
 * @param source the method of {@link SimulatedCalls} that provides the argument
 * @param argument the argument's type
 */
record Append(String source, ClassDesc argument) implements Rewrite {
  @Override
  public void emit(CodeBuilder code, InvokeInstruction call) {
    MethodTypeDesc type = call.typeSymbol();
    code.invokestatic(Descriptors.CALLS, source, MethodTypeDesc.of(argument));
    code.invoke(
        call.opcode(),
        call.owner().asSymbol(),
        call.name().stringValue(),
        type.insertParameterTypes(type.parameterCount(), argument),
        call.isInterface());
  }
}
